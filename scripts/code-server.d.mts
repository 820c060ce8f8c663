export declare function installCodeServer(root: string): string;

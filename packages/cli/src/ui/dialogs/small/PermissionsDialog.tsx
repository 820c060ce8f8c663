/** `/permissions`: the trust in this folder, or in another one, looked at and changed. */
import type { DialogProps, TrustLevel } from '../dialog.js';
import { FolderTrustDialog, type FolderTrustProps } from '../trust/FolderTrustDialog.js';

export interface PermissionsProps extends Pick<FolderTrustProps, 'discover' | 'current'> {
  /** Another folder than the one we are in. */
  directory?: string;
}

export function PermissionsDialog({ services, props, close }: DialogProps<PermissionsProps, TrustLevel>) {
  const { directory, ...rest } = props;
  const there = {
    ...services,
    cwd: directory ?? services.cwd,
    setTrust: (level: TrustLevel) => services.setTrust(level, directory),
  };
  return <FolderTrustDialog services={there} props={{ ...rest, isReview: true }} close={close} />;
}

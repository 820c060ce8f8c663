/** `/permissions`: shows and changes the trust of this or another folder. */
import { useState } from 'react';
import type { DialogProps, TrustLevel } from '../dialog.js';
import { FolderTrustDialog, type FolderTrustProps } from '../trust/FolderTrustDialog.js';

export interface PermissionsProps extends Pick<FolderTrustProps, 'discover'> {
  /** Default: the current folder. */
  directory?: string;
}

export function PermissionsDialog({ services, props, close }: DialogProps<PermissionsProps, TrustLevel>) {
  const { directory, ...rest } = props;
  const [current] = useState(() => services.trustOf(directory));
  const there = {
    ...services,
    cwd: directory ?? services.cwd,
    setTrust: (level: TrustLevel) => services.setTrust(level, directory),
  };
  return <FolderTrustDialog services={there} props={{ ...rest, current }} close={close} />;
}

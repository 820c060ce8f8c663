/** Logo, version, identity and tips; the properties are part of the public interface. */
import { type HeaderView, headerLines } from '../history/header.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';

export interface AppHeaderProps extends Omit<HeaderView, 'banner' | 'isHidden'> {
  showHeader: boolean;
  /** Who is signed in, and tips. */
  showDetails: boolean;
  bannerVisible: boolean;
  bannerText: string;
}

export function AppHeader({ showHeader, showDetails, bannerVisible, bannerText, ...view }: AppHeaderProps) {
  const look = useLook();
  const { identity, plan, tips, ...plain } = view;
  const details = showDetails ? view : plain;
  const banner = bannerVisible && bannerText !== '' ? { banner: bannerText } : {};
  return <Lines lines={headerLines({ ...details, ...banner, isHidden: !showHeader }, look)} />;
}

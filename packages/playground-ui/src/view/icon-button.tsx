import type { ButtonHTMLAttributes, ReactElement } from 'react';
import { Icon, type IconName } from './icons.js';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** The purpose of the button: its accessible name and its tooltip. */
  label: string;
}

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps): ReactElement {
  return (
    <button type="button" className={`bt-icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

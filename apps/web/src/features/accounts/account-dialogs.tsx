import { LoginDialog } from './login-dialog.tsx'
import { RegisterDialog } from './register-dialog.tsx'
import { RequiredDialog } from './required-dialog.tsx'

export type AccountDialogKind = 'login' | 'register' | 'required'

export interface AccountDialogsProps {
  kind: AccountDialogKind
  /** Another dialog, or null to close. */
  onChange: (kind: AccountDialogKind | null) => void
}

/** The dialog about the person's account that is open. */
export function AccountDialogs({ kind, onChange }: AccountDialogsProps) {
  const onClose = () => onChange(null)
  if (kind === 'login') return <LoginDialog onClose={onClose} onSwitch={() => onChange('register')} />
  if (kind === 'register') return <RegisterDialog onClose={onClose} onSwitch={() => onChange('login')} />
  return (
    <RequiredDialog
      onClose={onClose}
      onLogIn={() => onChange('login')}
      onRegister={() => onChange('register')}
    />
  )
}

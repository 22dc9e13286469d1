import { LoginDialog, type LoginDialogProps } from './login-dialog.tsx'
import { RegisterDialog } from './register-dialog.tsx'
import { RequiredDialog } from './required-dialog.tsx'

export type AccountDialogKind = 'login' | 'register' | 'required'

export interface AccountDialogsProps {
  kind: AccountDialogKind
  /** Goes to another dialog. */
  onChange: (kind: AccountDialogKind) => void
  onClose: () => void
  returning?: LoginDialogProps['returning']
}

/** The dialog about the person's account that is open. */
export default function AccountDialogs({ kind, onChange, onClose, returning }: AccountDialogsProps) {
  if (kind === 'login')
    return <LoginDialog onClose={onClose} onSwitch={() => onChange('register')} returning={returning} />
  if (kind === 'register') return <RegisterDialog onClose={onClose} onSwitch={() => onChange('login')} />
  return (
    <RequiredDialog
      onClose={onClose}
      onLogIn={() => onChange('login')}
      onRegister={() => onChange('register')}
    />
  )
}

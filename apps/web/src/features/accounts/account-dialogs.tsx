import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '../../components/ui/alert-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useCanRegister } from '../../lib/instance.ts'
import { LoginDialog, type LoginDialogProps } from './login-dialog.tsx'
import { RegisterDialog } from './register-dialog.tsx'

export type AccountDialogKind = 'login' | 'register' | 'required'

export interface AccountDialogsProps {
  kind: AccountDialogKind
  onChange: (kind: AccountDialogKind) => void
  onClose: () => void
  returning?: LoginDialogProps['returning']
}

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

interface RequiredDialogProps {
  onClose: () => void
  onLogIn: () => void
  onRegister: () => void
}

function RequiredDialog({ onClose, onLogIn, onRegister }: RequiredDialogProps) {
  const canRegister = useCanRegister()
  return (
    <AlertDialog open onOpenChange={(open) => open || onClose()}>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Authentication Required</AlertDialogTitle>
          <AlertDialogDescription>
            You need to be logged in to access this feature. Would you like to log in now?
          </AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter>
          <AlertDialogCancel asChild>
            <Button variant="ghost">Cancel</Button>
          </AlertDialogCancel>
          <Button onClick={onLogIn}>Log in</Button>
          {canRegister && (
            <Button variant="secondary" onClick={onRegister}>
              Register
            </Button>
          )}
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  )
}

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

export interface RequiredDialogProps {
  onClose: () => void
  onLogIn: () => void
  onRegister: () => void
}

/** Shown to guests who try to do more than read. */
export function RequiredDialog({ onClose, onLogIn, onRegister }: RequiredDialogProps) {
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

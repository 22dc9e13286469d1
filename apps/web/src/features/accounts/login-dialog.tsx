import { type LoginRequest, loginRequest, type User } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { useCanRegister } from '../../lib/instance.ts'
import { reloadWithToast } from '../../lib/reload.ts'
import { useLogin } from './accounts.queries.ts'
import { bannerText, toastRefusal } from './failure-text.ts'

export interface AccountDialogProps {
  onClose: () => void
  onSwitch: () => void
}

export interface LoginDialogProps extends AccountDialogProps {
  returning?: { user: User; onBack: () => void } | undefined
}

export function LoginDialog({ onClose, onSwitch, returning }: LoginDialogProps) {
  const login = useLogin()
  const canRegister = useCanRegister()
  const { register, handleSubmit, formState } = useForm<LoginRequest>({
    resolver: zodResolver(loginRequest),
    defaultValues: { username: returning?.user.username ?? '', password: '' },
  })
  const submit = handleSubmit((values) =>
    login.mutate(values, {
      onError: toastRefusal('Login failed'),
      onSuccess: ({ id, username }) => {
        if (id === returning?.user.id) return returning.onBack()
        const message = { title: 'Login successful', description: `Welcome, ${username}!` }
        // Nothing that the person before had begun is theirs.
        if (returning) return reloadWithToast({ message, path: '/' })
        onClose()
        reloadWithToast({ message })
      },
    }),
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Log in"
      description={
        returning &&
        `Your session has ended. Log in as ${returning.user.username} to continue. What you wrote is still here.`
      }
      submitLabel="Log in"
      pendingLabel="Logging in..."
      pending={login.isPending}
      error={bannerText(login.error)}
      onSubmit={submit}
      className="max-w-[400px]"
      footerStart={
        canRegister &&
        !returning && (
          <Button variant="link" onClick={onSwitch}>
            Create an account
          </Button>
        )
      }
    >
      <Field label="Username" error={formState.errors.username?.message}>
        <Input autoComplete="username" autoCapitalize="none" spellCheck={false} {...register('username')} />
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        <Input type="password" autoComplete="current-password" {...register('password')} />
      </Field>
    </FormDialog>
  )
}

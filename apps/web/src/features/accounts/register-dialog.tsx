import { type RegisterForm, registerForm } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { reloadWithToast } from '../../lib/reload.ts'
import { useRegister } from './accounts.queries.ts'
import { bannerText, toastRefusal } from './failure-text.ts'
import type { AccountDialogProps } from './login-dialog.tsx'

export function RegisterDialog({ onClose, onSwitch }: AccountDialogProps) {
  const registration = useRegister()
  const { register, handleSubmit, formState } = useForm<RegisterForm>({
    resolver: zodResolver(registerForm),
    defaultValues: { username: '', email: '', password: '', confirmPassword: '' },
  })
  const { errors } = formState
  const submit = handleSubmit(({ confirmPassword: _, ...account }) =>
    registration.mutate(account, {
      onError: toastRefusal('Registration failed'),
      onSuccess: ({ username }) => {
        onClose()
        reloadWithToast({
          message: { title: 'Registration successful', description: `Welcome, ${username}!` },
        })
      },
    }),
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Create an account"
      submitLabel="Create account"
      pendingLabel="Creating account..."
      pending={registration.isPending}
      error={bannerText(registration.error)}
      onSubmit={submit}
      className="max-w-[400px]"
      footerStart={
        <Button variant="link" onClick={onSwitch}>
          Log in instead
        </Button>
      }
    >
      <Field label="Username" error={errors.username?.message}>
        <Input autoComplete="username" autoCapitalize="none" spellCheck={false} {...register('username')} />
      </Field>
      <Field label="Email" error={errors.email?.message}>
        <Input type="email" autoComplete="email" {...register('email')} />
      </Field>
      <Field label="Password" error={errors.password?.message}>
        <Input type="password" autoComplete="new-password" {...register('password')} />
      </Field>
      <Field label="Confirm password" error={errors.confirmPassword?.message}>
        <Input type="password" autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </FormDialog>
  )
}

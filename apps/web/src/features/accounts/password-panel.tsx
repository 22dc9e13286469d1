import { type ChangePasswordForm, changePasswordForm, errorDetail } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlertIcon } from 'lucide-react'
import { useForm } from 'react-hook-form'
import * as z from 'zod'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { ApiError, errorReason } from '../../lib/errors.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useChangePassword } from './own-account.queries.ts'

const FIELDS = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password' },
  { name: 'confirmPassword', label: 'Confirm new password', autoComplete: 'new-password' },
] as const
const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' }

export default function PasswordPanel() {
  const { user } = useSession()
  const change = useChangePassword()
  const { register, handleSubmit, formState, setError, reset } = useForm<ChangePasswordForm>({
    resolver: zodResolver(changePasswordForm),
    defaultValues: EMPTY,
  })
  const { errors } = formState
  const submit = handleSubmit(({ confirmPassword: _, ...passwords }) =>
    change.mutate(passwords, {
      onSuccess: () => {
        reset(EMPTY)
        toast({ title: 'Password changed', description: 'You are signed out everywhere else.' })
      },
      onError: (error) => {
        const failed = fieldErrors(error)
        for (const [name, message] of failed) setError(name, { message }, { shouldFocus: true })
        if (failed.length === 0) setError('root', { message: errorReason(error) })
      },
    }),
  )
  return (
    <SettingsPanel title="Password" description="A new password signs you out everywhere else.">
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 sm:max-w-80">
        {errors.root && (
          <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
            {errors.root.message}
          </Banner>
        )}
        {/* Tells a password manager whose password it is. */}
        <input
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          autoComplete="username"
          value={user?.username ?? ''}
          className="sr-only"
        />
        {FIELDS.map(({ name, label, autoComplete }) => (
          <Field key={name} label={label} error={errors[name]?.message}>
            <Input type="password" autoComplete={autoComplete} {...register(name)} />
          </Field>
        ))}
        <Button type="submit" pending={change.isPending} className="justify-self-start">
          Change password
        </Button>
      </form>
    </SettingsPanel>
  )
}

function fieldErrors(error: Error): [keyof ChangePasswordForm, string][] {
  const details = z.array(errorDetail).safeParse(error instanceof ApiError ? error.details : undefined)
  return (details.data ?? []).flatMap(({ path, message }) => {
    const field = FIELDS.find(({ name }) => name === path)
    return field ? [[field.name, message]] : []
  })
}

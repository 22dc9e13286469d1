import {
  isInBytes,
  type ManagedUser,
  type PersonQuota,
  personQuota,
  QUOTAS,
  type Quota,
  UNLIMITED,
  type UpdateQuotasRequest,
  updateQuotasRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod'
import { ErrorState } from '../../components/error-state.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { api } from '../../lib/api.ts'
import { errorReason } from '../../lib/errors.ts'
import { formatBytes } from '../../lib/text/bytes.ts'
import { numberOf, numberProblems, numberText } from '../../lib/text/number-of.ts'
import { toast } from '../../lib/toast.ts'

type Drafts = Partial<Record<Quota, string>>

/** What one person has and may have; an empty field means the same quota as everyone's. */
export function QuotasDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { data: quotas, error, refetch } = useQuery(quotasQuery(user.id))
  const [drafts, setDrafts] = useState<Drafts>({})
  const [refused, setRefused] = useState<Drafts>({})
  const update = useUpdateQuotas(user.id)
  const isDirty = Object.keys(drafts).length > 0
  const submit = () => {
    if (!isDirty) return onClose()
    const change = Object.fromEntries(Object.entries(drafts).map(([quota, text]) => [quota, numberOf(text)]))
    const parsed = updateQuotasRequest.safeParse(change)
    if (!parsed.success) {
      const refusals = parsed.error.issues.map(({ path, message }) => [path[0], message])
      return setRefused({ ...Object.fromEntries(refusals), ...numberProblems(drafts) })
    }
    return update.mutate(parsed.data, {
      onSuccess: () => {
        toast({ title: 'Limits saved', description: `They apply to ${user.username} from now on.` })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Limits for ${user.username}`}
      description="People over a limit keep what they have, but can’t add more. Leave a field empty for the default."
      submitLabel="Save"
      pending={update.isPending}
      dirty={isDirty}
      error={update.error && errorReason(update.error)}
      className="max-w-[560px]"
      onSubmit={submit}
    >
      {quotas ? (
        <div className="grid items-start gap-x-4 gap-y-3.5 sm:grid-cols-2">
          {quotas.map((quota) => (
            <QuotaField
              key={quota.quota}
              quota={quota}
              text={drafts[quota.quota] ?? ownBound(quota)}
              error={refused[quota.quota]}
              onChange={(text) => {
                setDrafts(({ [quota.quota]: _, ...others }) =>
                  text === ownBound(quota) ? others : { ...others, [quota.quota]: text },
                )
                setRefused({})
              }}
            />
          ))}
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-80" />
      )}
    </FormDialog>
  )
}

function QuotaField({
  quota: { quota, used, bound, usual },
  text,
  error,
  onChange,
}: {
  quota: PersonQuota
  text: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const { unit } = QUOTAS[quota]
  const say = (count: number) => quotaText({ quota, count })
  const hint = used === null ? `At most ${say(bound)}` : `${say(used)} of ${say(bound)} used`
  return (
    <Field label={unit.charAt(0).toUpperCase() + unit.slice(1)} hint={hint} error={error}>
      <NumberInput
        isWhole
        value={text}
        placeholder={usual === UNLIMITED ? 'No limit (default)' : `${usual.toLocaleString('en')} (default)`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function quotaText({ quota, count }: { quota: Quota; count: number }): string {
  if (count === UNLIMITED) return 'no limit'
  if (quota === 'money') return `$${(count / 100).toFixed(2)}`
  return isInBytes(quota) ? formatBytes(count) : count.toLocaleString('en')
}

const ownBound = ({ bound, usual }: PersonQuota): string => (bound === usual ? '' : numberText(bound))

const quotas = z.array(personQuota)

function quotasQuery(userId: number) {
  return queryOptions({
    queryKey: ['admin', 'users', userId, 'quotas'],
    queryFn: ({ signal }) =>
      api('GET /api/admin/users/{id}/quotas', { params: { id: userId }, reply: quotas, signal }),
    gcTime: 0,
  })
}

function useUpdateQuotas(userId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: UpdateQuotasRequest) =>
      api('PATCH /api/admin/users/{id}/quotas', { params: { id: userId }, body, reply: quotas }),
    onSuccess: (updated) => client.setQueryData(quotasQuery(userId).queryKey, updated),
    meta: { failure: false },
  })
}

import {
  type GroupQuota,
  groupQuota,
  isInBytes,
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

/** Whose limits they are. */
export interface QuotasOwner {
  of: 'users' | 'groups'
  id: number
  name: string
}

const DESCRIPTIONS = {
  users: 'People over a limit keep what they have, but can’t add more. Leave a field empty for the default.',
  groups:
    'These replace the default for each member. If someone is in several groups, the highest limit counts; a person’s own limit overrides it.',
}

/** What one person has and may have, or what a group gives its members; an empty field means the default. */
export function QuotasDialog({ owner, onClose }: { owner: QuotasOwner; onClose: () => void }) {
  const { of, name } = owner
  const { data: quotas, error, refetch } = useQuery(quotasQuery(owner))
  const [drafts, setDrafts] = useState<Drafts>({})
  const [refused, setRefused] = useState<Drafts>({})
  const update = useUpdateQuotas(owner)
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
        toast({ title: 'Limits saved', description: `They apply to ${name} from now on.` })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Limits for ${name}`}
      description={DESCRIPTIONS[of]}
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
  quota: shown,
  text,
  error,
  onChange,
}: {
  quota: PersonQuota | GroupQuota
  text: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const { quota, usual } = shown
  const { unit } = QUOTAS[quota]
  return (
    <Field label={unit.charAt(0).toUpperCase() + unit.slice(1)} hint={hintOf(shown)} error={error}>
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

function hintOf(shown: PersonQuota | GroupQuota): string {
  const { quota, bound, usual } = shown
  const say = (count: number) => quotaText({ quota, count })
  const most = say(bound ?? usual)
  return 'used' in shown && shown.used !== null ? `${say(shown.used)} of ${most} used` : `At most ${most}`
}

const ownBound = ({ bound, usual }: PersonQuota | GroupQuota): string =>
  bound === null || bound === usual ? '' : numberText(bound)

const ofPerson = z.array(personQuota)
const ofGroup = z.array(groupQuota)

function quotasQuery({ of, id }: QuotasOwner) {
  return queryOptions({
    queryKey: ['admin', of, id, 'quotas'],
    queryFn: ({ signal }): Promise<(PersonQuota | GroupQuota)[]> =>
      of === 'users'
        ? api('GET /api/admin/users/{id}/quotas', { params: { id }, reply: ofPerson, signal })
        : api('GET /api/admin/groups/{id}/quotas', { params: { id }, reply: ofGroup, signal }),
    gcTime: 0,
  })
}

function useUpdateQuotas(owner: QuotasOwner) {
  const client = useQueryClient()
  const { of, id } = owner
  return useMutation({
    mutationFn: (body: UpdateQuotasRequest): Promise<(PersonQuota | GroupQuota)[]> =>
      of === 'users'
        ? api('PATCH /api/admin/users/{id}/quotas', { params: { id }, body, reply: ofPerson })
        : api('PATCH /api/admin/groups/{id}/quotas', { params: { id }, body, reply: ofGroup }),
    onSuccess: (updated) => client.setQueryData(quotasQuery(owner).queryKey, updated),
    meta: { failure: false },
  })
}

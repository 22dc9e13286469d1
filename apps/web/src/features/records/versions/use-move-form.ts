import { labelConflict, type MovedLabels, movableLabel, type VersionLabels } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useUndo } from './use-undo-move.ts'
import { gateQuery, labelsQuery, useMoveLabel } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

interface Refusals {
  label?: string | undefined
  reason?: string | undefined
  other?: string | undefined
}

export interface UseMoveFormOptions {
  record: Versioned
  /** Null: a new one, which is named in the form. */
  label: string | null
  from: number | null
  to: number
  labels: VersionLabels['labels']
  onClose: () => void
}

export function useMoveForm({ record, label: given, from: seen, to, labels, onClose }: UseMoveFormOptions) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const [from, setFrom] = useState(seen)
  const [conflict, setConflict] = useState<string>()
  const [refusals, setRefusals] = useState<Refusals>({})
  const [refusedGate, setRefusedGate] = useState<typeof preview>()
  const label = given ?? name.trim()
  const { data: preview } = useQuery({
    ...gateQuery({ record, label, version: to }),
    enabled: given !== null,
  })
  const gate = refusedGate ?? preview
  const isClosed = gate?.passed === false
  const { mutate, isPending } = useMoveLabel(record)
  const { undo } = useUndo(record)

  const toastMoved = ({ moveId, links }: MovedLabels) =>
    toast({
      title: `${label} is on version ${to}`,
      description:
        links.length > 0 ? linkedSteps(links) : 'Runs in progress keep the version they started with.',
      ...(moveId === null ? {} : { action: { label: 'Undo', onPress: () => undo({ moveId, label }) } }),
    })
  const refuse = async (error: unknown) => {
    const refusal = conflictOf({ error, schema: labelConflict })
    if (refusal?.code === 'LABEL_MOVED') {
      const now = await queryClient.fetchQuery({ ...labelsQuery(record), staleTime: 0 }).catch(() => null)
      const mover = now?.labels.find((one) => one.label === label)?.movedBy ?? 'Somebody'
      setConflict(meanwhile({ mover, version: refusal.version, to }))
      setFrom(refusal.version)
    } else if (refusal?.code === 'GATE_CLOSED') {
      setRefusedGate({ ...refusal, needsSuite: true, passed: false })
    } else setRefusals({ other: errorReason(error) })
  }
  const submit = () => {
    const refused = refusalsOf({ label: given === null ? label : null, labels, reason, isClosed })
    setRefusals(refused)
    if (refused.label || refused.reason) return
    setConflict(undefined)
    mutate(
      { label, body: { version: to, expectedVersion: from, reason: reason.trim(), override: isClosed } },
      {
        onSuccess: (moved) => {
          toastMoved(moved)
          onClose()
        },
        onError: (error) => void refuse(error),
      },
    )
  }
  return {
    label,
    from,
    gate,
    conflict,
    refusals,
    isPending,
    submit,
    name: fieldOf(name, setName),
    reason: fieldOf(reason, setReason),
  }
}

function fieldOf(value: string, set: (value: string) => void) {
  return { value, onChange: (event: ChangeEvent<HTMLInputElement>) => set(event.target.value) }
}

function refusalsOf({
  label,
  labels,
  reason,
  isClosed,
}: {
  label: string | null
  labels: VersionLabels['labels']
  reason: string
  isClosed: boolean
}): Refusals {
  if (label !== null) {
    const taken = labels.find((one) => one.label === label)
    if (taken) return { label: `${label} is on version ${taken.version}. Choose it in the menu to move it.` }
    const [issue] = movableLabel.safeParse(label).error?.issues ?? []
    if (issue) return { label: issue.message }
  }
  const isSaid = !isClosed || reason.trim() !== ''
  return isSaid ? {} : { reason: 'Say why you are moving it although its tests haven’t passed' }
}

function meanwhile({ mover, version, to }: { mover: string; version: number | null; to: number }): string {
  if (version === null) return 'It was removed in the meantime. Add it to this version, or cancel.'
  if (version === to) return `${mover} has already moved it to ${version}.`
  return `${mover} has since moved it to ${version}. Check what changes now, then move it or cancel.`
}

function linkedSteps(links: MovedLabels['links']): string {
  const steps = links.map(({ position }) => position + 1).join(', ')
  return links.length === 1
    ? `Step ${steps} takes its prompt’s current text, whatever version that is.`
    : `Steps ${steps} take their prompts’ current text, whatever version that is.`
}

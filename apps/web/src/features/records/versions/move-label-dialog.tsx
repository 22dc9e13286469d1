import { MOVE_REASON_MAX } from '@catenary/contracts'
import { TriangleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { LabelChip } from './label-chip.tsx'
import { LabelDependants } from './label-dependants.tsx'
import { ReleaseGate } from './release-gate.tsx'
import { type UseMoveFormOptions, useMoveForm } from './use-move-form.ts'
import type { VersionPair } from './versioned.ts'

export interface MoveLabelDialogProps extends UseMoveFormOptions {
  renderDifference: (pair: VersionPair) => ReactNode
}

export function MoveLabelDialog({ renderDifference, ...options }: MoveLabelDialogProps) {
  const { record, to, onClose } = options
  const { label, from, name, reason, gate, conflict, refusals, isPending, submit } = useMoveForm(options)
  const isNew = options.label === null
  const isClosed = gate?.passed === false
  return (
    <FormDialog
      onClose={onClose}
      title={titleOf({ label: options.label, from, to })}
      description={<WhatHappens label={label} from={from} to={to} />}
      submitLabel={from === null ? 'Put' : 'Move'}
      submitDisabled={from === to || (isClosed && !gate.canOverride)}
      pending={isPending}
      dirty={reason.value.trim() !== ''}
      error={refusals.other}
      footerStart="You can undo this from Label history"
      className={isNew ? undefined : 'max-w-[780px]'}
      onSubmit={submit}
    >
      {conflict && (
        <Banner role="alert" icon={<TriangleAlertIcon />}>
          {conflict}
        </Banner>
      )}
      {isNew && (
        <Field
          label="Label"
          error={refusals.label}
          hint={
            refusals.label
              ? undefined
              : 'Lowercase letters, digits, periods, hyphens and underscores. latest is always the newest version.'
          }
        >
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-xs"
            {...name}
          />
        </Field>
      )}
      {from !== null && from !== to && renderDifference({ before: from, after: to, label: 'What changes' })}
      {gate && <ReleaseGate gate={gate} label={label} version={to} />}
      {!isNew && <LabelDependants record={record} label={label} />}
      <Field
        label="Reason"
        error={refusals.reason}
        action={
          <span className="text-xs text-text-3">
            {isClosed ? 'required while a test fails; saved with the move' : 'saved with the move'}
          </span>
        }
      >
        <Input autoComplete="off" maxLength={MOVE_REASON_MAX} {...reason} />
      </Field>
    </FormDialog>
  )
}

function titleOf({ label, from, to }: { label: string | null; from: number | null; to: number }): string {
  if (label === null) return `New label on version ${to}`
  return from === null ? `Put ${label} on version ${to}` : `Move ${label} ${from} → ${to}`
}

function WhatHappens({ label, from, to }: { label: string; from: number | null; to: number }) {
  return (
    <>
      The next calls for {label === '' ? 'it' : <LabelChip label={label} />} will get version {to}.
      {from !== null && from !== to && ` Runs in progress keep ${from}.`}
    </>
  )
}

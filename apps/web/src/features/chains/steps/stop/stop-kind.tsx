import type { ChainStep } from '@catenary/contracts'
import { OctagonXIcon } from 'lucide-react'
import * as z from 'zod'
import { Badge } from '../../../../components/ui/badge.tsx'
import type { KindOfStep, SharedForm } from '../kind-of-step.ts'
import { StopFields } from './stop-fields.tsx'
import {
  endOf,
  hasReason,
  stopChanges,
  stopForm,
  stopInputOf,
  stopRows,
  stopTextChanges,
} from './stop-form.ts'

/** Ends the run. */
export const stopKind = {
  label: 'Stop',
  hint: 'ends the run',
  Icon: OctagonXIcon,
  Fields: StopFields,
  mayFail: false,
  defaultHint: () => null,
  form: ({ title, position }: SharedForm) =>
    z
      .object({ kind: z.literal('stop'), title, position, ...stopForm })
      .refine(hasReason, { path: ['stopText'], error: 'Write what went wrong' })
      .transform(({ outcome, stopText, ...step }) => ({
        ...step,
        model: null,
        stop: { outcome, text: stopText },
      })),
  checked: ({ outcome, stopText }, { onlyIf }) => ({
    content: '',
    outputVariableName: '',
    onlyIf,
    stop: { outcome, text: stopText },
  }),
  own: {
    inputOf: stopInputOf,
    rows: stopRows,
    textsWith: ({ stopText }, change) => ({ stopText: change(stopText) }),
    changes: stopChanges,
    textChanges: stopTextChanges,
  },
  Badges: StopBadge,
  previewTitle: 'What the run would end with',
} satisfies KindOfStep

function StopBadge({ step }: { step: Pick<ChainStep, 'stop'> }) {
  const ends = endOf(step.stop)
  if (!ends) return null
  return (
    <Badge>
      <OctagonXIcon />
      {ends.outcome === 'completed' ? 'Ends the run' : 'Ends the run as failed'}
    </Badge>
  )
}

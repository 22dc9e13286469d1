import * as z from 'zod'
import type { KindForm, SharedForm } from '../kind-form.ts'
import { StopFields } from './stop-fields.tsx'
import { hasReason, stopChanges, stopForm, stopInputOf, stopRows, stopTextChanges } from './stop-form.ts'

/** Ends the run. */
export const stopKind = {
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
} satisfies KindForm

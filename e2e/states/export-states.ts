import type { State } from './state.ts'
import { inTurn, seen } from './steps.ts'

const start = { who: 'user', path: '/?export=new' } as const

/** Taking things along. */
export const exportStates: readonly State[] = [
  { ...start, name: 'export', prepare: seen('Keep it in Git') },
  {
    ...start,
    name: 'export-promptfoo',
    prepare: inTurn(
      async (page) => page.getByRole('radio', { name: /^promptfoo/ }).click(),
      seen('promptfoo example'),
    ),
  },
]

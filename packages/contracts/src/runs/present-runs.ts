import * as z from 'zod'
import type { RunAccessLevel } from './runs.ts'

const PRESENCE_STATUSES = ['started', 'ended'] as const
export const presenceStatus = z
  .enum(PRESENCE_STATUSES)
  .describe(
    'For another person’s run that may use private values (D68). started: within the last day; ended: earlier. It doesn’t reveal whether the run is still running.',
  )
export type PresenceStatus = z.infer<typeof presenceStatus>

export const presenceSight = z
  .literal('presence')
  .describe('The caller sees only that the run exists, who started it, when, and its version (D68).')

export type RunSight = RunAccessLevel | z.infer<typeof presenceSight>

const nothing = z.null().describe('Only the person who started the run sees it (D68).')

type Nothing<Fields extends z.core.$ZodLooseShape, Shown> = {
  [Field in Exclude<keyof Fields, keyof Shown>]: typeof nothing
}

/** The same reply where the viewer learns only that the run is there: each field that is not named is null. */
export function presenceOf<
  Fields extends z.core.$ZodLooseShape,
  const Shown extends Partial<Record<keyof Fields, z.ZodType>>,
>({ shape }: z.ZodObject<Fields>, shown: Shown) {
  const names = Object.keys(shape).filter((name) => !(name in shown))
  const others = Object.fromEntries(names.map((name) => [name, nothing])) as Nothing<Fields, Shown>
  return z.object({ ...others, ...shown })
}

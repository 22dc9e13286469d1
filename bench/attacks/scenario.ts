import type { FakeProvider } from '../../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Answer, ask, type Caller } from '../lib/crowd.ts'

/** A program with a hostile account, and a person who wants to work. */
export interface Stage {
  /** The first account, so that its mails need no consent. */
  mallory: Caller
  ada: Caller
  /** The models' answers. */
  provider: FakeProvider
}

/** One way to stop others. */
export interface Scenario {
  name: string
  /** Makes what the attack needs, and says what it does and what its victim waits for. */
  prepare(stage: Stage): Promise<{
    /** Until the signal aborts, and until what it began is broken off. */
    attack(signal: AbortSignal): Promise<void>
    /** Each call of the victim, by the name of its figure. */
    victim: Record<string, () => Promise<Answer>>
  }>
}

/** Does it so many times at once, again and again; what is refused or broken off is no failure of the bench. */
export async function again({
  signal,
  atOnce,
  what,
}: {
  signal: AbortSignal
  atOnce: number
  what: () => Promise<unknown>
}): Promise<void> {
  const one = async () => {
    while (!signal.aborted) await what().catch(() => {})
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

export async function make(caller: Caller, path: string, body: object): Promise<{ id: number }> {
  const { status, text } = await ask(caller, { method: 'POST', path, body })
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text)
}

export const makePrompt = (caller: Caller): Promise<{ id: number }> =>
  make(caller, '/api/prompts', { title: 'Letter', content: 'Write to $<name>.', categoryId: 1 })

import type { ModelTest } from '@catenary/contracts'
import { useState } from 'react'
import { errorReason } from '../../../lib/errors.ts'
import { testModel } from './models.queries.ts'

/** Slow servers on one machine answer one after the other. */
const AT_ONCE = 3

export type TestState = 'running' | Pick<ModelTest, 'ok' | 'ms' | 'error' | 'address'>

export type ModelTests = ReturnType<typeof useModelTests>

/** The last test of each model since the panel was opened. */
export function useModelTests() {
  const [states, setStates] = useState<Readonly<Record<string, TestState>>>({})
  const put = (alias: string, state: TestState) => setStates((before) => ({ ...before, [alias]: state }))

  async function test(alias: string): Promise<void> {
    put(alias, 'running')
    try {
      put(alias, await testModel(alias))
    } catch (error) {
      put(alias, { ok: false, ms: 0, error: errorReason(error), address: null })
    }
  }

  async function testAll(aliases: readonly string[]): Promise<void> {
    const left = [...aliases]
    const testNext = async (): Promise<void> => {
      const alias = left.shift()
      if (alias === undefined) return
      await test(alias)
      await testNext()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, testNext))
  }

  return { states, isRunning: Object.values(states).includes('running'), keep: put, test, testAll }
}

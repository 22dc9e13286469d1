import { createHash } from 'node:crypto'
import { CASE_GIVEN_MAX } from '@catenary/contracts'
import { shortenText } from '@catenary/domain'
import type { CaseToRun } from '../test-suites/test-suites.ts'

export type FrozenCase = CaseToRun

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}

export function describeGiven({ input, values }: Pick<FrozenCase, 'input' | 'values'>): string {
  const named = Object.entries(values).map(([name, value]) => `${name} = ${value}`)
  const line = (named.length > 0 ? named.join(', ') : input).replace(/\s+/g, ' ').trim()
  return shortenText(line.toWellFormed(), CASE_GIVEN_MAX)
}

import type { TestCase } from '@catenary/contracts'

export type CaseFields = Omit<TestCase, 'id' | 'position' | 'revision'>

export function bytesOf({ name, input, values, tags, assertions, notRun, given }: CaseFields): number {
  return Buffer.byteLength(JSON.stringify({ name, input, values, tags, assertions, notRun, given }))
}

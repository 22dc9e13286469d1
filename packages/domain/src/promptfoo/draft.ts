import type { FolderField, NotRunItem, TestCase, TestSuite } from '@catenary/contracts'

/** A file can't become a suite; its message says why. */
export class ImportError extends Error {}

export function requireSafeKey(key: string): void {
  if (key === '__proto__') throw new ImportError('The key __proto__ is not allowed')
}

export type CaseDraft = Omit<Pick<TestCase, FolderField<'case'>>, 'position'>

/** `imported` is what the file has beside its tests. */
export type SuiteDraft = Omit<Pick<TestSuite, FolderField<'suite'>>, 'promptId' | 'chainId'> & {
  cases: CaseDraft[]
}

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keeps a thing as it was written; `reason` null: it has no meaning that could be run. */
export function keep(path: NotRunItem['path'], value: unknown, reason: string | null): NotRunItem {
  return { path, reason, value: value as NotRunItem['value'] }
}

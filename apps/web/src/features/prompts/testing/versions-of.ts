import type { PromptVersion, VersionLabels } from '@catenary/contracts'

/** A version of a prompt as the server sends it. */
export function makeVersion(fields: Partial<PromptVersion> = {}): PromptVersion {
  return {
    number: 1,
    title: 'First',
    content: 'one',
    note: '',
    author: 'ada',
    createdAt: '2026-05-01T10:00:00.000Z',
    ...fields,
  }
}

/** The labels of a record with three versions as the server sends them. */
export function makeLabels(
  on: Readonly<Record<string, number>> = {},
  fields: Partial<VersionLabels> = {},
): VersionLabels {
  return {
    latest: 3,
    labels: Object.entries(on).map(([label, version]) => ({
      label,
      version,
      movedBy: 'ines',
      movedAt: '2026-05-03T10:00:00.000Z',
    })),
    canMove: true,
    protected: [],
    ...fields,
  }
}

import type { Variable } from '@catenary/contracts'

/** A text variable of Ada's. */
export function makeVariable(change: Partial<Variable> = {}): Variable {
  return {
    id: 4,
    name: 'brand_voice',
    type: 'text',
    content: 'Warm, exact.',
    attachment: null,
    allowedValues: [],
    apiUrl: '',
    apiHeaders: {},
    googleDriveFileId: '',
    googleDriveFileName: '',
    googleDriveMimeType: '',
    cacheSeconds: 0,
    tags: [],
    isPublic: true,
    owner: 'ada',
    ownerIsAdmin: false,
    revision: 2,
    createdAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-02T10:00:00.000Z',
    canEdit: true,
    canDelete: true,
    ...change,
  }
}

/** An API variable of Ada's, with a secret header. */
export function makeApiVariable(change: Partial<Variable> = {}): Variable {
  return makeVariable({
    id: 5,
    name: 'release_notes',
    type: 'api',
    content: '',
    apiUrl: 'https://example.org/latest.json',
    apiHeaders: { Authorization: 'Bearer s3cret' },
    ...change,
  })
}

import type { Prompt } from '@catenary/contracts'

/** A prompt as the server sends it. */
export function makePrompt(fields: Partial<Prompt> = {}): Prompt {
  return {
    id: 7,
    slug: 'tone-check',
    title: 'Tone check',
    content: 'Rewrite in the voice of $<brand_voice>.',
    category: 'Writing',
    categoryId: 2,
    isActive: true,
    isPublic: false,
    isShared: false,
    tags: [{ id: 3, name: 'tone' }],
    owner: 'ada',
    version: 1,
    revision: 4,
    createdAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-02T10:00:00.000Z',
    canEdit: true,
    canDelete: true,
    canExecute: true,
    othersNames: [],
    ...fields,
  }
}

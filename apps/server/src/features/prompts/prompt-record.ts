import type { Prompt } from '@catenary/contracts'

/** A prompt as stored: without what depends on who looks at it. */
export type PromptRecord = Omit<Prompt, 'canEdit' | 'canDelete' | 'canExecute'> & { ownerId: number }

import type { ChainAccess } from '../chains/chain-access.service.ts'
import { labelledChains } from '../chains/labelled-chains.service.ts'
import { labelledPrompts } from '../prompts/labelled-prompts.service.ts'
import { createReleasePreviewService } from './release-preview.service.ts'
import { createVersionLabelsService } from './version-labels.service.ts'
import { createVersionNotesService } from './version-notes.service.ts'

type Deps = Pick<Parameters<typeof createVersionLabelsService>[0], 'db' | 'gate'>

/** Of each kind whose versions have labels. */
export function createVersionLabels({ chainAccess, ...deps }: Deps & { chainAccess: ChainAccess }) {
  return {
    chain: createVersionLabelsService({ ...deps, records: labelledChains(chainAccess) }),
    prompt: createVersionLabelsService({ ...deps, records: labelledPrompts }),
  }
}

/** Of each kind, what a move of a label would meet. */
export function createReleasePreviews({ chainAccess, ...deps }: Deps & { chainAccess: ChainAccess }) {
  return {
    chain: createReleasePreviewService({ ...deps, records: labelledChains(chainAccess) }),
    prompt: createReleasePreviewService({ ...deps, records: labelledPrompts }),
  }
}

/** Of each kind, what is said of its versions. */
export function createVersionNotes({ chainAccess, db }: Pick<Deps, 'db'> & { chainAccess: ChainAccess }) {
  return {
    chain: createVersionNotesService({ db, records: labelledChains(chainAccess) }),
    prompt: createVersionNotesService({ db, records: labelledPrompts }),
  }
}

import type { Platform } from '../../platform/platform.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { FilesService } from '../files/files.ts'
import type { GoogleDriveService } from '../google-drive/google-drive.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { TagsService } from '../tags/tags.ts'
import { variablesRoutes } from './variables.routes.ts'
import { createVariablesService } from './variables.service.ts'

export type VariablesService = ReturnType<typeof createVariables>['service']

interface Features {
  chains: Pick<ChainsService, 'references'>
  files: Pick<FilesService, 'read' | 'hold'>
  googleDrive: Pick<GoogleDriveService, 'readDriveFile'>
  prompts: Pick<PromptsService, 'references'>
  tags: Pick<TagsService, 'requireAll'>
}

/** Names that texts refer to, and what stands for them in a run. */
export function createVariables(platform: Platform, { chains, files, googleDrive, prompts, tags }: Features) {
  const variables = createVariablesService({
    ...platform,
    tags,
    files,
    prompts: prompts.references,
    chains: chains.references,
    readDriveFile: googleDrive.readDriveFile,
  })
  const { createIn, deleteIn, fingerprints, privateNames, requireAllowed, resolve } = variables
  return {
    service: { createIn, deleteIn, fingerprints, privateNames, requireAllowed, resolve },
    routes: [variablesRoutes({ variables })],
  }
}

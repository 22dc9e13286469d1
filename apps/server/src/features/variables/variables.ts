import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { FilesService } from '../files/files.ts'
import type { GoogleDriveService } from '../google-drive/google-drive.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import {
  type ConsentedNames,
  describeNames,
  listPlaces,
  listPrivateNames,
  type ResolveRequest,
  readFingerprints,
  resolveVariables,
  type WantedNames,
} from './operations/resolve-values.ts'
import { createHeaderVault } from './variable-headers.ts'
import { createVariableValues } from './variable-values-deps.ts'
import { variablesRoutes } from './variables.routes.ts'
import { createVariablesService } from './variables.service.ts'

export { sealedHeaders } from './sealed-headers.repository.ts'
export type VariablesService = ReturnType<typeof createVariables>['service']
export const variablesSlot = slot<VariablesService>()

interface Features {
  chains: Pick<ChainsService, 'references'>
  files: Pick<FilesService, 'read' | 'readMedia' | 'hold'>
  googleDrive: Pick<GoogleDriveService, 'readDriveFile'>
  prompts: Pick<PromptsService, 'references'>
}

/** Names that texts refer to, and what stands for them in a run. */
export function createVariables(platform: Platform, { chains, files, googleDrive, prompts }: Features) {
  const headers = createHeaderVault(platform)
  const values = createVariableValues({
    ...platform,
    files,
    headers,
    readDriveFile: googleDrive.readDriveFile,
  })
  const variables = createVariablesService({
    ...platform,
    files,
    headers,
    prompts: prompts.references,
    chains: chains.references,
  })
  const { createIn, deleteIn, requireAllowed } = variables
  return {
    service: {
      createIn,
      deleteIn,
      requireAllowed,
      describe: (wanted: ConsentedNames) => describeNames(values, wanted),
      fingerprints: (wanted: WantedNames) => readFingerprints(values, wanted),
      places: (wanted: WantedNames) => listPlaces(values, wanted),
      privateNames: (wanted: WantedNames) => listPrivateNames(values, wanted),
      resolve: (wanted: ResolveRequest) => resolveVariables(values, wanted),
    },
    routes: [variablesRoutes({ variables, values })],
  }
}

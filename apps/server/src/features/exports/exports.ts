import type { Platform } from '../../platform/platform.ts'
import { exportsRoutes } from './exports.routes.ts'
import { createExportsService, type ExportsDeps } from './exports.service.ts'

export { listExportedSuites as listSuitesOf, readSkills } from './exports.repository.ts'
export { readChain, readFolder, readPrompts, readSuite } from './folder-files.ts'
export { writeInTurns } from './write-in-turns.ts'
export { writeZip } from './write-zip.ts'

/** What people take along to elsewhere. */
export function createExports({ db }: Pick<Platform, 'db'>, { registry }: Pick<ExportsDeps, 'registry'>) {
  return { routes: [exportsRoutes({ exports: createExportsService({ db, registry }) })] }
}

import type { Platform } from '../../platform/platform.ts'
import { importsRoutes } from './imports.routes.ts'
import { createImportsService, type ImportMakers } from './imports.service.ts'

export type ImportsService = ReturnType<typeof createImports>['service']

/** Prompts that people bring from elsewhere. */
export function createImports(
  { bounded, db, now }: Pick<Platform, 'bounded' | 'db' | 'now'>,
  features: ImportMakers,
) {
  const imports = createImportsService({ bounded, db, now }, features)
  return { service: { push: imports.push }, routes: [importsRoutes({ imports })] }
}

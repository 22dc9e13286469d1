import type { Platform } from '../../platform/platform.ts'
import { importsRoutes } from './imports.routes.ts'
import { createImportsService, type ImportMakers } from './imports.service.ts'

/** Prompts that people bring from elsewhere. */
export function createImports(
  { bounded, db, now }: Pick<Platform, 'bounded' | 'db' | 'now'>,
  features: ImportMakers,
) {
  return { routes: [importsRoutes({ imports: createImportsService({ bounded, db, now }, features) })] }
}

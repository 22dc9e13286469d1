import type { Instance, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Models } from '../../platform/models/models.ts'
import { readVersion } from '../../version.ts'
import type { ModelRegistry } from '../models/models.ts'
import { checkThatItWrites } from './instance.repository.ts'

export type InstanceService = ReturnType<typeof createInstanceService>

export interface InstanceDeps {
  db: Database
  models: Pick<Models, 'isSandbox'>
  registry: Pick<ModelRegistry, 'listFor'>
  registrationNow: () => Promise<Instance['registration']>
  mail: Pick<Mail, 'isSetUp'>
  move: { current(): Instance['readOnly'] }
  /** The build of the served web app. */
  build: string
}

/** What this installation is, and whether it is well. */
export function createInstanceService({
  db,
  models,
  registry,
  registrationNow,
  mail,
  move,
  build,
}: InstanceDeps) {
  return {
    /** What a visitor may know, with the models that they may use. */
    describe: async (user: User | null): Promise<Instance> => ({
      ...readVersion(),
      build,
      registration: await registrationNow(),
      sandbox: models.isSandbox(),
      models: registry
        .listFor(user)
        .map((model) => ({ ...model, configured: model.configured || models.isSandbox() })),
      mail: mail.isSetUp,
      readOnly: move.current(),
    }),

    /** Fails unless the database answers, is migrated and takes writes. */
    checkDatabase: () => checkThatItWrites(db),
  }
}

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A problem that the person can mend: shown as its message alone. */
export class SetupError extends Error {}

import { StartError } from '../errors.ts'

const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM'])

export function explainPlace(directory: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && NOT_WRITABLE.has(String(error.code)))) return error
  return new StartError(
    `${directory} can’t be written to: ${error.message}. Give it to this program’s user; a systemd service also needs it in ` +
      'ReadWritePaths= ("systemctl edit catenary"), and a container needs a volume mounted there.',
    { cause: error },
  )
}

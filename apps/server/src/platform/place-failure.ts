import { StartError } from '../errors.ts'

const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM'])

export function explainPlace(directory: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && NOT_WRITABLE.has(String(error.code)))) return error
  return new StartError(
    `${directory} can’t be written to: ${error.message}. Give it to this program’s user; a service of systemd needs it in ` +
      'ReadWritePaths= too ("systemctl edit catenary"), a container a volume that is mounted there.',
    { cause: error },
  )
}

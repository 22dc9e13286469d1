import { findServerFailure } from '../database/failures/server-failure.ts'
import { AppError, StartError } from '../errors.ts'

const MEANINGS: Record<string, string> = {
  ENOMEM:
    'There is not enough memory for the embedded database. Its first start briefly needs about 640 MB: provide that, or set DATABASE_URL.',
  EADDRINUSE: 'The port is in use by another program. Stop it, or set PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOSPC: 'The disk is full. Free up space where DATA_DIR is, then start again.',
  EROFS: 'DATA_DIR is read-only. Set it to a directory that this program may write to.',
  ENOTDIR: 'DATA_DIR is not a directory. Set it to one.',
  EEXIST: 'DATA_DIR is not a directory. Set it to one.',
  '25006':
    'The database at DATABASE_URL is read-only, like a standby. Set DATABASE_URL to the one that accepts writes.',
  // What a database that was moved says to a write.
  '57M01':
    'This database was moved to another one. Use that one, or reopen this one with "catenary start --reopen".',
  '53100': 'The database’s disk is full. Free up space there, then start again.',
}
const FULL = /no space left on device|(disk|database) is full/i
const OUT_OF_MEMORY = /out of memory/i

export function explainStartFailure(error: unknown): string {
  const links = linksOf(error)
  if (isOfFullDisk(error)) return MEANINGS.ENOSPC ?? ''
  if (links.some(({ message }) => OUT_OF_MEMORY.test(message))) return MEANINGS.ENOMEM ?? ''
  const own = links.find((link) => link instanceof StartError || link instanceof AppError)
  if (own !== undefined) return oneLine(own.message)
  for (const { code, syscall, hostname, path } of links) {
    if (code === 'EACCES' || code === 'EPERM') {
      if (syscall === 'listen')
        return 'This port is reserved for administrators of this machine. Set PORT above 1023.'
      return `This user has no access to ${path ?? 'DATA_DIR'}. Give it access, or set DATA_DIR.`
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `The name ${hostname} can’t be found. Check DATABASE_URL and HOST.`
    const meaning = MEANINGS[code ?? '']
    if (meaning !== undefined) return meaning
  }
  const ofServer = links.map(findServerFailure).find((failure) => failure !== undefined)
  if (ofServer !== undefined) return `The database at DATABASE_URL ${ofServer.says}. ${ofServer.todo}`
  const last = links.at(-1)
  return `${sentence(oneLine(last?.message || String(error)))} LOG_LEVEL=debug says where.`
}

/** As sysexits.h names a configuration that is wrong; a service is not started again then. */
const [FAILED, MISCONFIGURED] = [1, 78]

export const exitCodeOf = (error: unknown): number =>
  linksOf(error).some((link) => link instanceof StartError && link.isSetting) ? MISCONFIGURED : FAILED

export const isOfFullDisk = (error: unknown): boolean =>
  linksOf(error).some(({ message }) => FULL.test(message))

type Link = Error & { code?: string; syscall?: string; hostname?: string; path?: string }

function linksOf(error: unknown): Link[] {
  const links: Link[] = []
  for (let link = error; link instanceof Error && !links.includes(link); link = link.cause) links.push(link)
  return links
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const oneLine = (text: string): string => text.trim().split(/\s*\n\s*/)[0] ?? ''

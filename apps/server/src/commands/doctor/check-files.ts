import { accessSync, constants, type Dirent, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { FULL_BELOW_BYTES } from '../../database/embedded/disk-space.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { type Finding, notAsked, ok, problem, warning } from './finding.ts'

const KEY_FILES = ['secret.key', 'secret.key.old']
const FOR_OTHERS = 0o077
const LITTLE_ROOM_BYTES = 1_000_000_000
/** More files than a database of many gigabytes has. */
const LOOKED_AT_MAX = 50_000

export interface ProcessUser {
  uid: number
  gid: number
}

export const processUser = (): ProcessUser | undefined => {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

export function checkFiles({ dataDir, databaseUrl, secretKey }: Settings, runner = processUser()): Finding[] {
  if (databaseUrl !== undefined && secretKey !== undefined)
    return [notAsked('No files are used: DATABASE_URL and SECRET_KEY are set')]
  const stat = statSync(dataDir, { throwIfNoEntry: false })
  if (stat === undefined) return [checkParent(dataDir)]
  if (!stat.isDirectory()) return [problem(`${dataDir} is not a directory`, 'Set DATA_DIR to a directory.')]
  return [...checkOwner({ dataDir, stat, runner }), ...checkKey({ dataDir, secretKey }), checkRoom(dataDir)]
}

/** Whether the existing files belong to the user running this program, so that opening the database locks nobody out. */
export function isOwn(dataDir: string, runner = processUser()): boolean {
  const stat = statSync(dataDir, { throwIfNoEntry: false })
  return stat === undefined || runner === undefined || stat.uid === runner.uid
}

function checkParent(dataDir: string): Finding {
  const parent = nearestDirectory(path.dirname(dataDir))
  if (mayWrite(parent)) return ok(`${dataDir} doesn’t exist yet: the first start creates it`)
  return problem(
    `${dataDir} doesn’t exist, and this user may not create it in ${parent}`,
    `Create it, and give it to the user that runs Catenary: ${chown(processUser(), dataDir, { make: true })}`,
  )
}

function nearestDirectory(place: string): string {
  return statSync(place, { throwIfNoEntry: false }) === undefined
    ? nearestDirectory(path.dirname(place))
    : place
}

function checkOwner({
  dataDir,
  stat,
  runner,
}: {
  dataDir: string
  stat: Stats
  runner: ProcessUser | undefined
}): Finding[] {
  if (runner === undefined) return [notAsked('This system has no Unix file owners and modes')]
  const findings: Finding[] = []
  if (stat.uid !== runner.uid && runner.uid === 0) {
    findings.push(
      notAsked(
        `${dataDir} belongs to user ${stat.uid}, and this is root: that user couldn’t open files that root writes there`,
        `Run this as the user that runs Catenary: sudo -u '#${stat.uid}' …`,
      ),
    )
  } else if (stat.uid !== runner.uid) {
    findings.push(
      problem(
        `${dataDir} belongs to user ${stat.uid}, and this is user ${runner.uid}`,
        `If Catenary is to run as this user: ${chown(runner, dataDir)}`,
      ),
    )
  } else if (mayWrite(dataDir)) {
    findings.push(ok(`${dataDir} belongs to user ${runner.uid}, who may write there`))
  } else {
    findings.push(
      problem(
        `${dataDir} can’t be written to`,
        `chmod 700 ${quote(dataDir)} (or its disk is mounted read-only)`,
      ),
    )
  }
  if ((stat.mode & FOR_OTHERS) !== 0)
    findings.push(
      warning(`Other users on this machine can look into ${dataDir}`, `chmod 700 ${quote(dataDir)}`),
    )
  const foreign = findForeign({ dataDir, uid: stat.uid })
  if (foreign !== undefined)
    findings.push(
      problem(
        `${foreign} belongs to a different user from ${dataDir}, as happens after a start by root`,
        chown({ uid: stat.uid, gid: stat.gid }, dataDir),
      ),
    )
  return findings
}

function findForeign({ dataDir, uid }: { dataDir: string; uid: number }): string | undefined {
  const waiting = [dataDir]
  let looked = 0
  for (let place = waiting.pop(); place !== undefined && looked < LOOKED_AT_MAX; place = waiting.pop()) {
    looked += 1
    const stat = statSync(place, { throwIfNoEntry: false })
    // Gone meanwhile.
    if (stat === undefined) continue
    if (stat.uid !== uid) return place
    if (stat.isDirectory()) waiting.push(...list(place))
  }
  return undefined
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry: Dirent) => !entry.isSymbolicLink())
      .map(({ name }) => path.join(directory, name))
  } catch {
    return []
  }
}

function checkKey({ dataDir, secretKey }: Pick<Settings, 'dataDir' | 'secretKey'>): Finding[] {
  if (secretKey !== undefined) return []
  return KEY_FILES.flatMap((name) => {
    const file = path.join(dataDir, name)
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return []
    if (process.platform === 'win32' || (stat.mode & FOR_OTHERS) === 0)
      return [ok(`Only its owner can read ${file}`)]
    const what = `Other users can read ${file}, the key to everything stored encrypted`
    return [problem(what, `chmod 600 ${quote(file)}`)]
  })
}

function checkRoom(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const said = `${Math.round(free / 1e6).toLocaleString('en')} MB are free on the disk of ${dataDir}`
  if (free < FULL_BELOW_BYTES)
    return problem(said, `Free up space on the disk of ${dataDir}: nothing is written until then.`)
  if (free < LITTLE_ROOM_BYTES) return warning(said, `Free up space on the disk of ${dataDir} soon.`)
  return ok(said)
}

function mayWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function chown(owner: ProcessUser | undefined, place: string, { make = false } = {}): string {
  const given = `sudo chown -R ${owner?.uid ?? 'USER'}:${owner?.gid ?? 'GROUP'} ${quote(place)}`
  return make ? `sudo mkdir -p ${quote(place)} && ${given}` : given
}

function quote(place: string): string {
  return /^[\w./@:+-]+$/.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`
}

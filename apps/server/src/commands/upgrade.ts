import { StartError } from '../errors.ts'
import { describeRehearsal } from '../keeping/upgrade/describe-rehearsal.ts'
import { rehearse, rehearsedCopy } from '../keeping/upgrade/rehearse.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { backUp } from './backup.ts'
import type { Ended } from './say.ts'

interface UpgradeOptions {
  /** With this backup, or true: with one that is made for it. */
  rehearse?: string | true
  json?: boolean
}

/** Tries the upgrade with a copy; `isWell` unless there is no room for it. Throws StartError, also where it is not to be tried. */
export async function upgrade({ rehearse: wanted, json = false }: UpgradeOptions): Promise<Ended> {
  if (wanted === undefined) {
    throw new StartError(
      'To upgrade, start the new version: it backs up the database and then migrates it. "catenary upgrade --rehearse" tries that on a copy first.',
    )
  }
  const settings = readSettings()
  const rehearsal = await rehearse({
    settings,
    makeCopy: async (directory) => {
      if (wanted !== true) return wanted
      const file = rehearsedCopy(directory)
      await backUp(file, {})
      return file
    },
  })
  const told = { ...rehearsal, file: wanted === true ? null : wanted }
  const text = json ? JSON.stringify(told, null, 2) : describeRehearsal(told)
  return { text, isWell: rehearsal.room.fits }
}

import { ALLOWED_VALUE_REFUSED, allowsValue, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { listLimitedNames, prepareListVariablesByNames } from './variables.repository.ts'

export interface AllowedValuesDeps {
  db: Database
  rowChanges: RowChanges
}

/** Whether what a person types for a variable is one of the values that it allows. */
export function createAllowedValues({ db, rowChanges }: AllowedValuesDeps) {
  const listVariablesByNames = prepareListVariablesByNames(db)
  // Hardly any run types a value for one, and finding that out should cost no statement.
  const findLimitedNames = readThroughCache({
    rowChanges,
    load: (_whose: 'everyone') => listLimitedNames(db),
    rowsOf: () => ['variables:any'],
    capacity: 1,
  })

  return {
    /** Throws `invalid` for a typed value that the list of the variable which the name means doesn't have. */
    async requireAllowed({ typed, user }: { typed: ReadonlyMap<string, string>; user: User }): Promise<void> {
      if (typed.size === 0) return
      const limited = await findLimitedNames('everyone')
      const names = [...typed.keys()].filter((name) => limited.has(name.toLowerCase()))
      if (names.length === 0) return
      const meant = await listVariablesByNames({ viewerId: user.id, names })
      const listOf = new Map(meant.map(({ name, allowedValues }) => [name.toLowerCase(), allowedValues]))
      const details = [...typed].flatMap(([name, value]) => {
        const allowed = listOf.get(name.toLowerCase()) ?? []
        if (allowsValue(allowed, value)) return []
        return [{ path: `variableValues.${name}`, message: refusalOf({ name, allowed }) }]
      })
      if (details[0]) throw new AppError('invalid', details[0].message, { details })
    },
  }
}

function refusalOf({ name, allowed }: { name: string; allowed: string[] }): string {
  return `${ALLOWED_VALUE_REFUSED} of ${name}: ${allowed.join(', ')}`
}

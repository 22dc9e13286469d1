/** Of one person, in this process. */
const AT_ONCE = 4
const APART_MS = 250
const FIRST_WAIT_MS = 500

interface Person {
  underWay: number
  nextTurnAt: number
}

export interface Turns {
  /** A turn, with the way to end it, or how long to wait for the next one. */
  take(userId: number): { end: () => void } | { waitMs: number }
}

/** Has a person with many slow endpoints take a few of the places that all share. Who waits is told a time of their own. */
export function createTurns({ now = () => performance.now() } = {}): Turns {
  const people = new Map<number, Person>()
  return {
    take(userId) {
      const person = people.get(userId) ?? { underWay: 0, nextTurnAt: 0 }
      if (person.underWay >= AT_ONCE) {
        person.nextTurnAt = Math.max(person.nextTurnAt, now() + FIRST_WAIT_MS) + APART_MS
        return { waitMs: person.nextTurnAt - now() }
      }
      people.set(userId, person)
      person.underWay += 1
      return {
        end: () => {
          person.underWay -= 1
          if (person.underWay === 0) people.delete(userId)
        },
      }
    },
  }
}

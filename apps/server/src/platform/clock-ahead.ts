/** The clocks of machines that serve together differ by less. */
const CLOCKS_DIFFER_MS = 600_000

/**
 * What is dated later than this was written while a clock was wrong: it says nothing of what has been done by now, and a
 * wait that ends later than it should has no end that anybody meant.
 */
export const latestBelieved = (now: Date): Date => new Date(now.getTime() + CLOCKS_DIFFER_MS)

/** Where a warning begins, as a part of the budget (D56). */
const WARNING = 0.8

/** What was spent and what may be, in nano-dollars. */
export interface Budget {
  spent: number
  most: number
}

export const isNear = ({ spent, most }: Budget): boolean => spent >= WARNING * most

/** No further call is made: only calls under way may exceed it. */
export const isSpent = ({ spent, most }: Budget): boolean => spent >= most

/** Where a warning begins, as a part of the budget (D56). */
const WARNING = 0.8

/** What was spent and may be, in nano-dollars. */
export interface Budget {
  spent: number
  most: number
}

export const isNear = ({ spent, most }: Budget): boolean => spent >= WARNING * most

/** No further call is made: what is under way may take it beyond, nothing else. */
export const isSpent = ({ spent, most }: Budget): boolean => spent >= most

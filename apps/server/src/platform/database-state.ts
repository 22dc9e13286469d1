/** The room on the disk that the database is on. */
export interface Room {
  isFull(): boolean
  /** Even the reserve is used up, but for what a start needs. */
  isOut(): boolean
  /** Gives up a part of the reserve, if nothing else is left. */
  makeRoom(): void
}

/** Whether the database is being moved, or was. */
export interface Move {
  current(): 'moving' | 'moved' | null
}

/** Whether the database answers, as far as is known. */
export interface Pulse {
  /** It has not answered for a while. */
  isAway(): boolean
  /** Total time without any answer. */
  silentMs(): number
}

/** What is known of the database without asking it. */
export interface DatabaseState {
  disk: Room
  move: Move
  pulse: Pulse
}

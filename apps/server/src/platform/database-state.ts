export interface Room {
  isFull(): boolean
  /** Even the reserve is used up, but for what a start needs. */
  isOut(): boolean
  makeRoom(): void
}

export interface Move {
  current(): 'moving' | 'moved' | null
}

export interface Pulse {
  isAway(): boolean
  silentMs(): number
}

export interface DatabaseState {
  disk: Room
  move: Move
  pulse: Pulse
}

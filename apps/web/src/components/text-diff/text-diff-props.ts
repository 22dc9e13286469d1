interface TextVersion {
  /** What the text is called. */
  label: string
  text: string
}

export interface TextDiffProps {
  before: TextVersion
  after: TextVersion
}

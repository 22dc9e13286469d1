const everyone = {
  id: 1,
  name: 'everyone',
  isBuiltIn: true,
  memberCount: 41,
  members: [],
  leaders: [],
  shareCount: 9,
  canEdit: false,
}
const supportLeads = {
  id: 2,
  name: 'Support leads',
  isBuiltIn: false,
  memberCount: 4,
  members: ['ana', 'ines', 'jonas', 'tomasz'],
  leaders: ['ana'],
  shareCount: 6,
  canEdit: true,
}
const longNamed = {
  ...supportLeads,
  id: 4,
  name: 'Everyone who answers letters about returns, abroad',
  members: ['a-name-that-is-as-long-as-names', 'ana', 'ines'],
  memberCount: 3,
  leaders: ['a-name-that-is-as-long-as-names', 'ines'],
  shareCount: 0,
}

export const groups = [
  everyone,
  supportLeads,
  {
    ...supportLeads,
    id: 3,
    name: 'Support',
    memberCount: 11,
    members: ['ada', 'ana', 'ben', 'cleo', 'dan', 'eva', 'fay', 'ines', 'jonas', 'kim', 'tomasz'],
    leaders: ['ana', 'ines'],
    shareCount: 14,
  },
  longNamed,
  {
    ...supportLeads,
    id: 5,
    name: 'On call',
    memberCount: 1,
    members: ['jonas'],
    leaders: [],
    shareCount: 0,
    canEdit: false,
  },
]

export const supportLeadsDetails = {
  ...supportLeads,
  shares: [
    { kind: 'prompt', id: 11, title: 'Refund reply', role: 'viewer' },
    { kind: 'chain', id: 12, title: 'Damaged parcel', role: 'viewer' },
    {
      kind: 'chain',
      id: 13,
      title: 'Issue to answer, with everything that support has learned in five years of it',
      role: 'editor',
    },
  ],
  hiddenShares: 3,
}

export const onCallDetails = { ...groups.at(-1), shares: [], hiddenShares: null }

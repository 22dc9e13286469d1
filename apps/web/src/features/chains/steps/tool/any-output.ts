/** Whether an earlier output is JSON is not known here: a field of it looks like one. */
export const ANY_OUTPUT = { outputs: true, jsonOutputs: { has: () => true } }

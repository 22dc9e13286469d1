/** What people, and everyone together, may spend in a month, and the models that keep to it. */
export { limitedModels } from './limit-spending.ts'
export { findBudget, findBudgetRefusal } from './read-budgets.ts'

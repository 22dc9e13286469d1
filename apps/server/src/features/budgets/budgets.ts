export { limitedModels } from './limit-spending.ts'
export { findBudget, findBudgetRefusal } from './read-budgets.ts'

"""Teams: several agents that work on one task, in one of six formations.

| module | what it holds |
|---|---|
| `team` | `Team`: what a user makes, starts and asks |
| `roles` | who takes which part |
| `members` | an agent of any shape, and how it is called |
| `blueprint`, `checking` | what a team is made of, and what is wrong with it |
| `choosing` | which formation an adaptive team takes |
| `context` | what a member is told beside its task |
| `formations` | who works when, a file a formation |
| `session` | one execution: who was asked, what came of it, what is told |
| `performing`, `outcome` | the steps of an execution: work, review, revision, deadline |
| `plans`, `reading`, `graph` | a lead's sub-tasks, how they are read and carried out |
| `positions` | what is held in a debate, and by whom |
| `records`, `result`, `events` | what became of it, and what is told while it happens |
| `account`, `stored` | the result in words, and as JSON |
"""

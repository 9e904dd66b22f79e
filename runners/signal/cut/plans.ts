/** A join from point `leave` to point `enter`. */
export interface Join {
  readonly leave: number;
  readonly enter: number;
}

export interface CutPlan {
  readonly joins: readonly Join[];
  /** Length with the source's own beginning and ending, minus target, seconds. */
  readonly error: number;
  readonly cost: number;
}

/** Candidates that are handed on to be heard more closely. */
export const PLANS = 12;

/** The few cheapest plans, ascending. */
export class Best {
  readonly plans: CutPlan[] = [];

  /** Cost of the cheapest. */
  get least(): number {
    return this.plans[0]?.cost ?? Number.POSITIVE_INFINITY;
  }

  /** What a plan must stay below to be kept. */
  get worst(): number {
    return this.plans.length < PLANS ? Number.POSITIVE_INFINITY : this.plans.at(-1)!.cost;
  }

  offer(plan: CutPlan): void {
    if (!(plan.cost < this.worst)) return;
    if (this.plans.some(({ joins }) => sameJoins(joins, plan.joins))) return;
    let at = this.plans.length;
    while (at > 0 && this.plans[at - 1]!.cost > plan.cost) at--;
    this.plans.splice(at, 0, plan);
    if (this.plans.length > PLANS) this.plans.pop();
  }
}

function sameJoins(one: readonly Join[], other: readonly Join[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ leave, enter }, n) => leave === other[n]!.leave && enter === other[n]!.enter)
  );
}

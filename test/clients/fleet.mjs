// What the suites know of the gateways under test; scripts/test-clients starts them and says where they are.

import assert from "node:assert/strict";
import {setTimeout as sleep} from "node:timers/promises";

export const model = "warmlane-sim";
export const gateway = process.env.WARMLANE_URL;
export const emptyGateway = process.env.WARMLANE_EMPTY_URL;
export const longAnswerTokens = 4000;

export const user = (content) => [{role: "user", content}];

async function busy() {
    const answer = await fetch(`${process.env.WARMLANE_ADMIN_URL}/endpoints`);
    const {endpoints} = await answer.json();
    return endpoints.map((endpoint) => [endpoint.in_flight_requests, endpoint.running]);
}

async function soon(holds, message) {
    const deadline = Date.now() + 5000;
    let seen;
    do {
        seen = await busy();
        if (holds(seen)) {
            return;
        }
        await sleep(50);
    } while (Date.now() < deadline);
    assert.fail(`${message}: ${JSON.stringify(seen)}`);
}

// Far sooner than a long answer would take to its end.
export const idleSoon = () => soon((all) => all.every(([ours, theirs]) => ours === 0 && !theirs), "still busy");
export const busySoon = () => soon((all) => all.some(([, theirs]) => theirs > 0), "no engine runs anything");

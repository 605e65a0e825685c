const superagent = require("superagent");

const baseUrlOfSut = process.env.STEADY_URL;

// Calls:
// (200) GET:/orders/{id}
test("test_0_getOnOrderReturnsObject", async () => {
    const res_0 = await superagent
            .get(baseUrlOfSut + "/orders/62").set('Accept', "application/json")
            .ok(res => res.status);

    expect(res_0.status).toBe(200);
    expect(res_0.header["content-type"].startsWith("application/json")).toBe(true);
    expect(res_0.body.id).toBe(62.0);
    expect(res_0.body.createdAt).toBe("2026-01-01T00:00:01.000001+00:00");
    expect(res_0.body.requestId).toBe("cd613e30-d8f1-4adf-91b7-584a2265b1f5");
    expect(res_0.body.tags.length).toBe(3);
    expect(res_0.body.tags[0]).toBe("green");
});

// Calls:
// (404) GET:/orders/{id}
test("test_1_getOnUnknownReturns404", async () => {
    const res_0 = await superagent
            .get(baseUrlOfSut + "/orders/_EM_unknown")
            .ok(res => res.status);

    expect(res_0.status).toBe(404);
    expect(res_0.body.error).toBe("not found");
    expect(res_0.body.incident).toBe("shop.Incident@1a2b3d");
});
